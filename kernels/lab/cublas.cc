// SPDX-License-Identifier: MIT
// Entry points and constants: cuBLAS documentation, "cuBLAS API"; stable since cuBLAS 6.
#include "kernels/lab/cublas.h"

#include <dlfcn.h>

#include <string>
#include <vector>

#include "kernels/lab/cuda_run.h"

namespace warpscope::lab {
namespace {

// The library's own types: an opaque handle, and enumerations of int size.
using Handle = void*;
constexpr int kSuccess = 0;
constexpr int kNoTranspose = 0;  // CUBLAS_OP_N
constexpr int kDefaultMath = 0;  // CUBLAS_DEFAULT_MATH: float stays float; TF32 would be 3

struct Library {
    int (*create)(Handle*) = nullptr;
    int (*destroy)(Handle) = nullptr;
    int (*set_stream)(Handle, void*) = nullptr;
    int (*set_math_mode)(Handle, int) = nullptr;
    int (*sgemm)(Handle, int, int, int, int, int, const float*, const float*, int, const float*,
                 int, const float*, float*, int) = nullptr;
    std::string problem;
};

std::vector<std::string> candidates() {
    const std::string own = "libcublas.so." + std::to_string(WARPSCOPE_CUDA_MAJOR);
    // The toolkit's folder is often not on the loader's path.
    return {own, std::string{WARPSCOPE_CUDA_LIBRARY_DIR} + "/" + own,
            "/usr/local/cuda/lib64/" + own, "libcublas.so.13", "libcublas.so.12"};
}

template <typename Function>
void find(void* file, const char* name, Function& function, std::string& problem) {
    function = reinterpret_cast<Function>(dlsym(file, name));
    if (function == nullptr) problem = std::string{"libcublas has no function "} + name;
}

// Never closed again: CUDA's libraries do not support being unloaded.
Library load() {
    Library library;
    void* file = nullptr;
    for (const std::string& name : candidates()) {
        file = dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL);
        if (file != nullptr) break;
    }
    if (file == nullptr) {
        library.problem = "libcublas.so." + std::to_string(WARPSCOPE_CUDA_MAJOR) +
                          " was not found by the loader or beside the toolkit";
        return library;
    }
    find(file, "cublasCreate_v2", library.create, library.problem);
    find(file, "cublasDestroy_v2", library.destroy, library.problem);
    find(file, "cublasSetStream_v2", library.set_stream, library.problem);
    find(file, "cublasSetMathMode", library.set_math_mode, library.problem);
    find(file, "cublasSgemm_v2", library.sgemm, library.problem);
    return library;
}

const Library& library() {
    static const Library loaded = load();
    return loaded;
}

void check(int status, const char* call) {
    if (status == kSuccess) return;
    throw LabError{std::string{call} + " failed with cublasStatus_t " + std::to_string(status)};
}

}  // namespace

std::string cublas_problem() { return library().problem; }

Cublas::Cublas() {
    if (!library().problem.empty()) throw LabError{"cuBLAS: " + library().problem};
    check(library().create(&handle_), "cublasCreate");
    const int status = library().set_math_mode(handle_, kDefaultMath);
    if (status == kSuccess) return;
    library().destroy(handle_);
    check(status, "cublasSetMathMode");
}

Cublas::~Cublas() { library().destroy(handle_); }

// rung: matmul/cublas
void Cublas::multiply(const float* a, const float* b, float* out, std::size_t n, void* stream) {
    check(library().set_stream(handle_, stream), "cublasSetStream");
    const float one = 1, zero = 0;
    const int size = static_cast<int>(n);
    // cuBLAS counts by columns: what we store row by row is, to it, the transpose. The transpose of
    // a * b is b^T * a^T, so the factors change places and nothing has to be transposed.
    check(library().sgemm(handle_, kNoTranspose, kNoTranspose, size, size, size, &one, b, size, a,
                          size, &zero, out, size),
          "cublasSgemm");
}
// end

}  // namespace warpscope::lab
