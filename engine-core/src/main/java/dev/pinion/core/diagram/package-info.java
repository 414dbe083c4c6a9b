/** Definitions as diagrams: shapes and flow as people draw them, in Mermaid and as JSON. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.diagram;
