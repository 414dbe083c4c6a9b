/**
 * Pictures of processes in SVG: figures, and where they stand; {@code FigureFactory} chooses the
 * layout.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.diagram;
