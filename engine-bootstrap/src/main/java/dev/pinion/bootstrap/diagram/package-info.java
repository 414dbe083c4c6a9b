/** Pictures of processes in SVG: figures, and where they stand. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.diagram;
