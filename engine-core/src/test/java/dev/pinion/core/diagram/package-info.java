/** Tests of {@code core.diagram}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.diagram;
