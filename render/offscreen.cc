// SPDX-License-Identifier: MIT
#include "render/offscreen.h"

#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "render/objects.h"

namespace warpscope {
namespace {

template <class Function>
Function egl_function(const char* name) {
    return reinterpret_cast<Function>(eglGetProcAddress(name));
}

bool offers(const char* extensions, std::string_view wanted) {
    if (extensions == nullptr) return false;
    const std::string padded = std::string{" "} + extensions + " ";
    return padded.find(" " + std::string{wanted} + " ") != std::string::npos;
}

std::string egl_problem(const std::string& call) {
    const EGLint error = eglGetError();
    constexpr std::array<const char*, 15> kNames{
        "no reason given",   "EGL_NOT_INITIALIZED",     "EGL_BAD_ACCESS",
        "EGL_BAD_ALLOC",     "EGL_BAD_ATTRIBUTE",       "EGL_BAD_CONFIG",
        "EGL_BAD_CONTEXT",   "EGL_BAD_CURRENT_SURFACE", "EGL_BAD_DISPLAY",
        "EGL_BAD_MATCH",     "EGL_BAD_NATIVE_PIXMAP",   "EGL_BAD_NATIVE_WINDOW",
        "EGL_BAD_PARAMETER", "EGL_BAD_SURFACE",         "EGL_CONTEXT_LOST"};
    const auto index = static_cast<std::size_t>(error - EGL_SUCCESS);
    return call + ": " + (index < kNames.size() ? kNames[index] : std::to_string(error));
}

/// A display and the context on it. EGL displays are shared by the whole process: only the context
/// ends with its owner.
class EglContext {
  public:
    EglContext(EGLDisplay display, GlDebug debug) : display_{display} {
        if (display == EGL_NO_DISPLAY) throw GlError{egl_problem("eglGetPlatformDisplay")};
        if (!eglInitialize(display, nullptr, nullptr)) throw GlError{egl_problem("eglInitialize")};
        if (!offers(eglQueryString(display, EGL_EXTENSIONS), "EGL_KHR_surfaceless_context")) {
            throw GlError{"EGL_KHR_surfaceless_context is missing"};
        }
        if (!eglBindAPI(EGL_OPENGL_API)) throw GlError{egl_problem("eglBindAPI")};
        const std::array<EGLint, 9> attributes{EGL_CONTEXT_MAJOR_VERSION,
                                               4,
                                               EGL_CONTEXT_MINOR_VERSION,
                                               5,
                                               EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                               EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                               EGL_CONTEXT_OPENGL_DEBUG,
                                               debug == GlDebug::kOn ? EGL_TRUE : EGL_FALSE,
                                               EGL_NONE};
        context_ = eglCreateContext(display, config(), EGL_NO_CONTEXT, attributes.data());
        if (context_ == EGL_NO_CONTEXT) throw GlError{egl_problem("eglCreateContext (OpenGL 4.5)")};
    }
    ~EglContext() {
        if (eglGetCurrentContext() == context_) {
            eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        }
        eglDestroyContext(display_, context_);
    }
    EglContext(const EglContext&) = delete;
    EglContext& operator=(const EglContext&) = delete;

    void make_current() {
        if (!eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_)) {
            throw GlError{egl_problem("eglMakeCurrent without a surface")};
        }
    }

  private:
    EGLConfig config() const {
        const std::array<EGLint, 5> wanted{EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                           EGL_OPENGL_BIT, EGL_NONE};
        EGLConfig config = nullptr;
        EGLint count = 0;
        if (!eglChooseConfig(display_, wanted.data(), &config, 1, &count) || count < 1) {
            throw GlError{egl_problem("eglChooseConfig")};
        }
        return config;
    }

    EGLDisplay display_;
    EGLContext context_ = EGL_NO_CONTEXT;
};

EGLDisplay platform_display(EGLenum platform, void* native) {
    const auto get = egl_function<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
    return get != nullptr ? get(platform, native, nullptr) : EGL_NO_DISPLAY;
}

/// The EGL device of an NVIDIA GPU, and its CUDA device (nothing where the driver does not say).
struct NvidiaDevice {
    EGLDeviceEXT device;
    EGLAttrib cuda;
};

/// NVIDIA GPUs in the order in which they shall be tried. EGL counts them in its own order, which
/// CUDA_VISIBLE_DEVICES does not change (NVIDIA/cuda-python #2864), hence the question to each.
std::vector<NvidiaDevice> nvidia_devices(int wanted) {
    const auto query_devices = egl_function<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
    const auto query_string =
        egl_function<PFNEGLQUERYDEVICESTRINGEXTPROC>("eglQueryDeviceStringEXT");
    const auto query_attribute =
        egl_function<PFNEGLQUERYDEVICEATTRIBEXTPROC>("eglQueryDeviceAttribEXT");
    std::array<EGLDeviceEXT, 32> all{};
    EGLint count = 0;
    if (query_devices == nullptr || query_string == nullptr || query_attribute == nullptr ||
        !query_devices(static_cast<EGLint>(all.size()), all.data(), &count)) {
        return {};
    }
    std::vector<NvidiaDevice> found;
    for (EGLint i = 0; i < count; ++i) {
        EGLDeviceEXT device = all[static_cast<std::size_t>(i)];
        if (!offers(query_string(device, EGL_EXTENSIONS), "EGL_NV_device_cuda")) continue;
        EGLAttrib cuda = -1;
        if (!query_attribute(device, EGL_CUDA_DEVICE_NV, &cuda)) cuda = -1;
        found.push_back({device, cuda});
    }
    std::ranges::stable_partition(
        found, [wanted](const NvidiaDevice& device) { return device.cuda == wanted; });
    return found;
}

bool software_wanted() {
    const char* value = std::getenv("LIBGL_ALWAYS_SOFTWARE");
    return value != nullptr && *value != '\0' && std::string_view{value} != "0" &&
           std::string_view{value} != "false";
}

/// Displays to try, best first, with names for the message.
std::vector<std::pair<std::string, EGLDisplay>> displays(int wanted_cuda_device) {
    const char* client = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    std::vector<std::pair<std::string, EGLDisplay>> result;
    if (offers(client, "EGL_EXT_platform_device") && !software_wanted()) {
        for (const NvidiaDevice& gpu : nvidia_devices(wanted_cuda_device)) {
            result.emplace_back("NVIDIA EGL device of CUDA device " + std::to_string(gpu.cuda),
                                platform_display(EGL_PLATFORM_DEVICE_EXT, gpu.device));
        }
    }
    if (offers(client, "EGL_MESA_platform_surfaceless")) {
        result.emplace_back("Mesa surfaceless",
                            platform_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY));
    }
    return result;
}

std::unique_ptr<EglContext> any_context(const OffscreenOptions& options) {
    std::string tried;
    for (const auto& [name, display] : displays(options.cuda_device)) {
        try {
            auto context = std::make_unique<EglContext>(display, options.debug);
            context->make_current();
            return context;
        } catch (const GlError& error) {
            tried += "; " + name + ": " + error.what();
        }
    }
    if (tried.empty()) tried = "; EGL offers neither an NVIDIA GPU nor Mesa's surfaceless platform";
    throw GlError{"no OpenGL without a window" + tried +
                  ". Install libegl1 and either NVIDIA's driver or libegl-mesa0 and "
                  "libgl1-mesa-dri"};
}

GLADapiproc find_function(const char* name) {
    return reinterpret_cast<GLADapiproc>(eglGetProcAddress(name));
}

}  // namespace

/// Declared in the order in which they are made: the context ends last.
struct OffscreenContext::Parts {
    explicit Parts(const OffscreenOptions& options)
        : width{options.width},
          height{options.height},
          context{any_context(options)},
          identity{load_gl(find_function)} {
        framebuffer.emplace();
        color.emplace();
        depth.emplace();
        GL_CHECK(glTextureStorage2D(color->id(), 1, GL_RGBA8, width, height));
        GL_CHECK(glTextureStorage2D(depth->id(), 1, GL_DEPTH24_STENCIL8, width, height));
        const GLuint id = framebuffer->id();
        GL_CHECK(glNamedFramebufferTexture(id, GL_COLOR_ATTACHMENT0, color->id(), 0));
        GL_CHECK(glNamedFramebufferTexture(id, GL_DEPTH_STENCIL_ATTACHMENT, depth->id(), 0));
        GL_CHECK(glBindFramebuffer(GL_FRAMEBUFFER, id));
        GL_CHECK(glViewport(0, 0, width, height));
    }

    int width, height;
    std::unique_ptr<EglContext> context;
    GlIdentity identity;
    std::optional<GlTexture> color, depth;
    std::optional<GlFramebuffer> framebuffer;
};

OffscreenContext::OffscreenContext(const OffscreenOptions& options) {
    if (options.width < 1 || options.height < 1 || options.width > 16384 ||
        options.height > 16384) {
        throw GlError{"an offscreen picture must be 1 to 16384 pixels wide and high, got " +
                      std::to_string(options.width) + " x " + std::to_string(options.height)};
    }
    parts_ = std::make_unique<Parts>(options);
}

OffscreenContext::~OffscreenContext() {
    if (!parts_) return;
    try {
        parts_->context->make_current();  // deleting the objects needs it
    } catch (const GlError&) {
        return;
    }
}
OffscreenContext::OffscreenContext(OffscreenContext&&) noexcept = default;
OffscreenContext& OffscreenContext::operator=(OffscreenContext&&) noexcept = default;

void OffscreenContext::make_current() { parts_->context->make_current(); }
int OffscreenContext::width() const noexcept { return parts_->width; }
int OffscreenContext::height() const noexcept { return parts_->height; }
GLuint OffscreenContext::framebuffer() const noexcept { return parts_->framebuffer->id(); }
GLuint OffscreenContext::texture() const noexcept { return parts_->color->id(); }
const GlIdentity& OffscreenContext::identity() const noexcept { return parts_->identity; }

std::vector<std::uint32_t> OffscreenContext::read_pixels() const {
    return read_framebuffer(framebuffer(), parts_->width, parts_->height);
}

std::vector<std::uint32_t> read_framebuffer(GLuint framebuffer, int width, int height) {
    const auto row = static_cast<std::size_t>(width);
    const auto rows = static_cast<std::size_t>(height);
    std::vector<std::uint32_t> pixels(row * rows);
    GLint bound = 0;
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &bound);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(bound));
    check_gl("glReadPixels", __FILE__, __LINE__);
    for (std::size_t y = 0; y < rows / 2; ++y) {
        const auto top = pixels.begin() + static_cast<std::ptrdiff_t>(y * row);
        const auto bottom = pixels.begin() + static_cast<std::ptrdiff_t>((rows - 1 - y) * row);
        std::swap_ranges(top, top + static_cast<std::ptrdiff_t>(row), bottom);
    }
    return pixels;
}

}  // namespace warpscope
