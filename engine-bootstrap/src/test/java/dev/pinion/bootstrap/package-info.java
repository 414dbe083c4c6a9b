/** Tests of {@code bootstrap}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap;
