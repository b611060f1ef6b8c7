// SPDX-License-Identifier: MIT
// Source code to read: numbered lines, words of C++ and CUDA in colour.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "app/panels.h"

namespace warpscope {

enum class TokenKind : std::uint8_t { kPlain, kKeyword, kBuiltIn, kNumber, kComment };
struct Token {
    TokenKind kind = TokenKind::kPlain;
    std::string_view text;
};

/// The tokens of one line, in order; together they are the line. Knows no block comments.
std::vector<Token> tokens(std::string_view line);

/// The height that shows all lines of `source`, pixels.
float code_height(const PanelContext& context, std::string_view source);

/// A scrolling view of `source` in the monospaced font, under its file's name.
void code_view(const PanelContext& context, const char* id, std::string_view file,
               std::string_view source, ImVec2 size);

}  // namespace warpscope
