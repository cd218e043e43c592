#include "bentwood/draw/svg.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "bentwood/data/text.hpp"

namespace bentwood {
namespace {

constexpr std::size_t longest_text = 200;

template <class... Values>
void append(std::string& out, fmt::format_string<Values...> format, Values&&... values) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Values>(values)...);
}

}  // namespace

std::string escaped_xml(std::string_view text) {
  const std::string plain = printable(text, longest_text);
  std::string result;
  result.reserve(plain.size());
  for (std::size_t at = 0; at < plain.size(); ++at) {
    switch (plain[at]) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        // U+FFFE and U+FFFF are UTF-8, but no characters of XML.
        if (plain.compare(at, 2, "\xEF\xBF") == 0 && at + 2 < plain.size() &&
            static_cast<unsigned char>(plain[at + 2]) >= 0xBE) {
          result += "\xEF\xBF\xBD";
          at += 2;
        } else {
          result += plain[at];
        }
    }
  }
  return result;
}

std::string pixels(double value) {
  const double rounded = std::round(value * 100) / 100;
  return fmt::format("{}", rounded == 0 ? 0.0 : rounded);
}

SvgCanvas::SvgCanvas(double width, double height, std::string_view title,
                     std::string_view description) {
  append(body_,
         "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
         "viewBox=\"0 0 {0} {1}\" role=\"img\" aria-labelledby=\"title description\" "
         "font-family=\"system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif\">\n"
         "<title id=\"title\">{2}</title>\n<desc id=\"description\">{3}</desc>\n",
         pixels(width), pixels(height), escaped_xml(title), escaped_xml(description));
}

void SvgCanvas::circle(double x, double y, double radius, const Paint& paint) {
  append(body_, "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"", pixels(x), pixels(y), pixels(radius));
  this->paint(paint);
}

void SvgCanvas::rectangle(double x, double y, double width, double height, const Paint& paint) {
  append(body_, "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", pixels(x), pixels(y),
         pixels(width), pixels(height));
  this->paint(paint);
}

void SvgCanvas::path(std::string_view commands, const Paint& paint) {
  append(body_, "<path d=\"{}\"", commands);
  this->paint(paint);
}

void SvgCanvas::text(double x, double y, std::string_view words, const TextStyle& style) {
  append(body_, "<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\"", pixels(x), pixels(y),
         pixels(style.size), style.colour);
  if (style.anchor != "start") {
    append(body_, " text-anchor=\"{}\"", style.anchor);
  }
  append(body_, "{}>{}</text>\n", style.bold ? " font-weight=\"600\"" : "", escaped_xml(words));
}

void SvgCanvas::begin_clipped_to_circle(double x, double y, double radius) {
  append(body_,
         "<clipPath id=\"clip{0}\"><circle cx=\"{1}\" cy=\"{2}\" r=\"{3}\"/></clipPath>\n"
         "<g clip-path=\"url(#clip{0})\">\n",
         n_clips_, pixels(x), pixels(y), pixels(radius));
  ++n_clips_;
}

void SvgCanvas::begin_clipped_to_rectangle(double x, double y, double width, double height) {
  append(body_,
         "<clipPath id=\"clip{0}\"><rect x=\"{1}\" y=\"{2}\" width=\"{3}\" height=\"{4}\"/>"
         "</clipPath>\n<g clip-path=\"url(#clip{0})\">\n",
         n_clips_, pixels(x), pixels(y), pixels(width), pixels(height));
  ++n_clips_;
}

void SvgCanvas::begin_group(double opacity) {
  append(body_, "<g opacity=\"{}\">\n", pixels(opacity));
}

void SvgCanvas::end_group() { body_ += "</g>\n"; }

std::string SvgCanvas::document() const { return body_ + "</svg>\n"; }

void SvgCanvas::paint(const Paint& paint) {
  append(body_, " fill=\"{}\"", paint.fill);
  if (paint.stroke != "none") {
    append(body_, " stroke=\"{}\" stroke-width=\"{}\"", paint.stroke, pixels(paint.stroke_width));
  }
  if (!paint.dashes.empty()) {
    append(body_, " stroke-dasharray=\"{}\"", paint.dashes);
  }
  if (paint.opacity != 1) {
    append(body_, " opacity=\"{}\"", pixels(paint.opacity));
  }
  body_ += "/>\n";
}

}  // namespace bentwood
