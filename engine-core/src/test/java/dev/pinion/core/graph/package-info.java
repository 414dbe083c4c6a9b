/** Tests of {@code core.graph}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.graph;
