/** Tests of {@code bootstrap.topology}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.topology;
