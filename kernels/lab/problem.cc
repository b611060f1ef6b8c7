// SPDX-License-Identifier: MIT
#include "kernels/lab/problem.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace warpscope::lab {
namespace {

// splitmix64's finaliser. [Steele, Lea, Flood: Fast splittable pseudorandom number generators,
// 2014]
std::uint64_t mix(std::uint64_t x) noexcept {
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

std::string mib(double bytes) {
    return std::to_string(static_cast<long long>(bytes / (1 << 20))) + " MiB";
}

// What Linux would give without swapping; absent where there is no such file.
std::optional<double> available_memory() {
    std::ifstream file{"/proc/meminfo"};
    std::string key, unit;
    double kib = 0;
    while (file >> key >> kib) {
        if (key == "MemAvailable:") return kib * 1024;
        std::getline(file, unit);
    }
    return std::nullopt;
}

}  // namespace

Demo demo_of(std::string_view name) {
    const LabDemo& demo = find_lab_demo(name);
    return static_cast<Demo>(&demo - lab_demos().data());
}

std::size_t elements(Demo demo, std::size_t n) noexcept {
    return demo == Demo::kMatmul ? n * n : n;
}

double compulsory_bytes(Demo demo, std::size_t n) noexcept {
    return 3.0 * sizeof(float) * static_cast<double>(elements(demo, n));
}

double flops(Demo demo, std::size_t n) noexcept {
    const auto size = static_cast<double>(n);
    switch (demo) {
        case Demo::kVectorAdd:
            return size;
        case Demo::kSaxpy:
            return 2 * size;
        case Demo::kMatmul:
            return 2 * size * size * size;
    }
    return 0;
}

float random_value(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) noexcept {
    const std::uint64_t bits = mix(mix(seed ^ (stream << 56)) + index) >> 40;  // 24 bits
    return static_cast<float>(static_cast<std::int64_t>(bits) - (1 << 23)) * 0x1p-23F;
}

float random_alpha(std::uint64_t seed) noexcept { return 1.5F + 0.5F * random_value(seed, 2, 0); }

void poison(std::span<float> values) noexcept {
    std::ranges::fill(values, std::numeric_limits<float>::quiet_NaN());
}

void throw_short_of_memory(std::string_view demo, std::size_t n, double needed, double available,
                           std::string_view where) {
    throw LabError{std::string{demo} + " with n = " + std::to_string(n) + " needs " + mib(needed) +
                   " of " + std::string{where} + " memory, " + mib(available) +
                   " are free; choose a smaller n"};
}

void require_host_memory(std::string_view demo, std::size_t n, double bytes) {
    const std::optional<double> available = available_memory();
    if (available && bytes > *available) {
        throw_short_of_memory(demo, n, bytes, *available, "host");
    }
}

}  // namespace warpscope::lab
