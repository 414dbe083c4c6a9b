/** Tests of {@code bootstrap.supervise}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.supervise;
