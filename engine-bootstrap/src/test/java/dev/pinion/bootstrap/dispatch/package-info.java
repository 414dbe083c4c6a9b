/** Tests of {@code bootstrap.dispatch}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.dispatch;
