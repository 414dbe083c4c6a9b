package dev.pinion.core.diagram;

/** Draws diagrams as pictures. A port: the layout of a picture needs a library. Any thread. */
@FunctionalInterface
public interface PictureRenderer {
  /** The picture as an SVG document. */
  String svg(Diagram diagram);
}
