/** Tests of {@code bootstrap.settings}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.settings;
