/** Tests of {@code bootstrap.replica}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.replica;
