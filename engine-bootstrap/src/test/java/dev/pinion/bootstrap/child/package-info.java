/** Tests of {@code bootstrap.child}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.child;
