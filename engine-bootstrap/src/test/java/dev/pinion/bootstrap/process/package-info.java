/** Tests of {@code bootstrap.process}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.process;
