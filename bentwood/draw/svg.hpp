#pragma once

#include <string>
#include <string_view>

namespace bentwood {

/// Text fit for an element or an attribute: markup escaped, and what XML cannot hold (control
/// characters, broken UTF-8) written out as \x07.
[[nodiscard]] std::string escaped_xml(std::string_view text);

/// A number of pixels with at most two decimals, without the zeros nobody needs: "12", "0.5".
[[nodiscard]] std::string pixels(double value);

/// How a shape is painted; colours as in CSS ("#0072B2", "none").
struct Paint {
  std::string_view fill = "none";
  std::string_view stroke = "none";
  double stroke_width = 1;
  double opacity = 1;
  /// Lengths of dashes and gaps, such as "2 4"; empty for a full line.
  std::string_view dashes = {};
};

struct TextStyle {
  double size = 14;
  std::string_view colour = "#1a1a1a";
  /// "start", "middle" or "end": which part of the text stands at x.
  std::string_view anchor = "start";
  bool bold = false;
};

/// A picture of pixels, y downwards, put together as one self-contained SVG document: no scripts,
/// no styles, nothing fetched. The title and the description are read out by screen readers.
class SvgCanvas {
 public:
  SvgCanvas(double width, double height, std::string_view title, std::string_view description);

  void circle(double x, double y, double radius, const Paint& paint);
  void rectangle(double x, double y, double width, double height, const Paint& paint);
  /// `commands` in the language of SVG's path element: "M0 0 L10 10".
  void path(std::string_view commands, const Paint& paint);
  void text(double x, double y, std::string_view words, const TextStyle& style);

  /// Everything drawn until `end_group` is seen only inside the circle.
  void begin_clipped_to_circle(double x, double y, double radius);
  /// The same for a rectangle.
  void begin_clipped_to_rectangle(double x, double y, double width, double height);
  /// Everything drawn until `end_group` is laid over what is there as one sheet of that opacity, so
  /// shapes that overlap in it do not shine through each other.
  void begin_group(double opacity);
  void end_group();

  /// The finished document. The canvas can be drawn on and finished again.
  [[nodiscard]] std::string document() const;

 private:
  void paint(const Paint& paint);

  std::string body_;
  int n_clips_ = 0;
};

}  // namespace bentwood
