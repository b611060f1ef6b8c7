// SPDX-License-Identifier: MIT
// Linked instead of interop.cu where the program is built without CUDA.
#include "render/interop.h"
#include "render/interop_facts.h"

namespace warpscope {
namespace {

constexpr const char* kWithout = "this program was built without CUDA";

}  // namespace

SharedBuffer::SharedBuffer(GLuint, int) { throw InteropError{kWithout}; }
SharedBuffer::~SharedBuffer() { release(); }
SharedBuffer::SharedBuffer(SharedBuffer&&) noexcept = default;
SharedBuffer& SharedBuffer::operator=(SharedBuffer&&) noexcept = default;

void* SharedBuffer::map(std::size_t, void*) { throw InteropError{kWithout}; }
void SharedBuffer::unmap(void*) { throw InteropError{kWithout}; }
void SharedBuffer::release() noexcept { resource_ = nullptr; }

void ask_gl_devices(InteropFacts& facts) { facts.gl_problem = kWithout; }

std::string try_sharing(int) { return kWithout; }

}  // namespace warpscope
