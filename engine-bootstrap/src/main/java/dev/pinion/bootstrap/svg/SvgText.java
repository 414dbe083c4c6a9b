package dev.pinion.bootstrap.svg;

/** External text, such as names of classes, files and machines, in an SVG document. */
public final class SvgText {
  private SvgText() {}

  /** Text as XML; control characters, which XML cannot represent, become spaces. */
  public static String escaped(String text) {
    return text.replaceAll("\\p{Cntrl}", " ")
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
