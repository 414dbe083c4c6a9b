/** Tests of {@code bootstrap.history.publish}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.history.publish;
