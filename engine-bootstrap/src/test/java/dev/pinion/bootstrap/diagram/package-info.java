/** Tests of {@code bootstrap.diagram}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.diagram;
