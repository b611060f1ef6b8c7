// SPDX-License-Identifier: MIT
#include "app/panels/code_view.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <string>

#include "app/theme.h"

namespace warpscope {
namespace {

constexpr std::array<std::string_view, 31> kKeywords{
    "auto",     "bool",   "break",  "const",  "constexpr", "continue", "do",      "double",
    "else",     "false",  "float",  "for",    "if",        "inline",   "int",     "namespace",
    "noexcept", "return", "size_t", "static", "struct",    "template", "true",    "typename",
    "unsigned", "using",  "void",   "while",  "char",      "long",     "operator"};
constexpr std::array<std::string_view, 13> kBuiltIns{
    "__global__", "__device__",  "__shared__",       "__restrict__", "__syncthreads",
    "__host__",   "threadIdx",   "blockIdx",         "blockDim",     "gridDim",
    "float4",     "make_float4", "__launch_bounds__"};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

TokenKind kind_of(std::string_view word) {
    if (is_digit(word.front())) return TokenKind::kNumber;
    if (std::ranges::find(kBuiltIns, word) != kBuiltIns.end()) return TokenKind::kBuiltIn;
    if (std::ranges::find(kKeywords, word) != kKeywords.end()) return TokenKind::kKeyword;
    return TokenKind::kPlain;
}

ImU32 ink_of(TokenKind kind) {
    switch (kind) {
        case TokenKind::kKeyword:
            return ImGui::GetColorU32(ImGuiCol_CheckMark);  // the theme's accent
        case TokenKind::kBuiltIn:
            return Ink::kPurple;
        case TokenKind::kNumber:
            return Ink::kVermilion;
        case TokenKind::kComment:
            return muted_ink();
        case TokenKind::kPlain:
            break;
    }
    return ImGui::GetColorU32(ImGuiCol_Text);
}

/// Draws one line at `at`; returns its width.
float draw_line(ImVec2 at, std::string_view line) {
    const float left = at.x;
    for (const Token& token : tokens(line)) {
        const char *begin = token.text.data(), *end = begin + token.text.size();
        ImGui::GetWindowDrawList()->AddText(at, ink_of(token.kind), begin, end);
        at.x += ImGui::CalcTextSize(begin, end).x;
    }
    return at.x - left;
}

}  // namespace

std::vector<Token> tokens(std::string_view line) {
    std::vector<Token> found;
    std::size_t at = 0;
    while (at < line.size()) {
        std::size_t end = at + 1;
        if (line.substr(at, 2) == "//") {
            found.push_back({TokenKind::kComment, line.substr(at)});
            break;
        }
        if (is_word(line[at])) {
            while (end < line.size() &&
                   (is_word(line[end]) ||
                    (is_digit(line[at]) && (line[end] == '.' || line[end] == '\''))))
                ++end;
            const std::string_view word = line.substr(at, end - at);
            found.push_back({kind_of(word), word});
        } else {
            while (end < line.size() && !is_word(line[end]) && line.substr(end, 2) != "//") ++end;
            found.push_back({TokenKind::kPlain, line.substr(at, end - at)});
        }
        at = end;
    }
    return found;
}

float code_height(const PanelContext& context, std::string_view source) {
    ImGui::PushFont(context.look.mono);
    const float line = ImGui::GetTextLineHeight();
    ImGui::PopFont();
    const auto lines = static_cast<float>(std::ranges::count(source, '\n') + 2);  // and the name
    return lines * (line + 2) + ImGui::GetStyle().ScrollbarSize + context.px(28);
}

void code_view(const PanelContext& context, const char* id, std::string_view file,
               std::string_view source, ImVec2 size) {
    ImGui::PushStyleColor(ImGuiCol_ChildBg, ImGui::GetColorU32(ImGuiCol_FrameBg, 0.55f));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{context.px(12), context.px(8)});
    ImGui::BeginChild(
        id, size, false,
        ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_AlwaysUseWindowPadding);
    ImGui::PushFont(context.look.mono);
    ImGui::PushStyleColor(ImGuiCol_Text, muted_ink());
    ImGui::TextUnformatted(file.data(), file.data() + file.size());
    ImGui::PopStyleColor();
    const float numbers = ImGui::CalcTextSize("000 ").x, height = ImGui::GetTextLineHeight() + 2;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    float widest = 0, y = at.y;
    int count = 1;
    for (std::size_t begin = 0; begin < source.size(); ++count) {
        const std::size_t end = std::min(source.find('\n', begin), source.size());
        std::array<char, 16> text{};
        std::snprintf(text.data(), text.size(), "%3d", count);
        ImGui::GetWindowDrawList()->AddText({at.x, y}, ImGui::GetColorU32(ImGuiCol_Separator),
                                            text.data());
        widest =
            std::max(widest, draw_line({at.x + numbers, y}, source.substr(begin, end - begin)));
        y += height;
        begin = end + 1;
    }
    ImGui::Dummy({numbers + widest, y - at.y});
    ImGui::PopFont();
    ImGui::EndChild();
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
}

}  // namespace warpscope
