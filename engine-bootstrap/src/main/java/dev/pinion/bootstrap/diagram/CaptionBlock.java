package dev.pinion.bootstrap.diagram;

import dev.pinion.core.diagram.Caption;
import java.util.ArrayList;
import java.util.List;

/** The lines of a caption, and the room that they take. */
final class CaptionBlock {
  private record Line(String style, double size, String text) {}

  private final List<Line> lines = new ArrayList<>();

  private CaptionBlock() {}

  /** Name and details, below the kind in words. */
  static CaptionBlock withKind(Caption caption) {
    CaptionBlock block = new CaptionBlock();
    block.add("kind", PictureStyle.SMALL, caption.kind());
    return block.rest(caption);
  }

  /** Name and details of a figure whose form tells its kind. */
  static CaptionBlock withoutKind(Caption caption) {
    return new CaptionBlock().rest(caption);
  }

  private CaptionBlock rest(Caption caption) {
    add("name", PictureStyle.NAME, caption.name());
    caption.details().forEach(detail -> add("detail", PictureStyle.SMALL, detail));
    return this;
  }

  private void add(String style, double size, String text) {
    if (!text.isEmpty()) {
      lines.add(new Line(style, size, text));
    }
  }

  double width() {
    return lines.stream()
        .mapToDouble(line -> TextWidth.of(line.text(), line.size()) * (line.size() > 12 ? 1.06 : 1))
        .max()
        .orElse(0);
  }

  double height() {
    return lines.size() * PictureStyle.LINE;
  }

  void draw(SvgPage page, double x, double y) {
    for (int i = 0; i < lines.size(); i++) {
      Line line = lines.get(i);
      page.text(line.style(), x, y + (i + 0.8) * PictureStyle.LINE, line.text());
    }
  }
}
