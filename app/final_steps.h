// SPDX-License-Identifier: MIT
// The end of long work: what can still be printed and written is, whatever fails beside it.
#pragma once

#include <exception>
#include <initializer_list>
#include <string>

#include "app/session/atomic_file.h"

namespace warpscope {

/// Throws FileError where one of `paths` (empty: none) cannot be written; for before the work.
inline void check_outputs(std::initializer_list<std::string> paths) {
    for (const std::string& path : paths) {
        if (!path.empty()) check_writable(path);
    }
}

class FinalSteps {
  public:
    /// Does it; what it throws waits for finish().
    template <class Step>
    void take(Step step) {
        try {
            step();
        } catch (const std::exception&) {
            if (!first_failure_) first_failure_ = std::current_exception();
        }
    }

    /// Throws what the first step threw that failed.
    void finish() const {
        if (first_failure_) std::rethrow_exception(first_failure_);
    }

  private:
    std::exception_ptr first_failure_;
};

}  // namespace warpscope
