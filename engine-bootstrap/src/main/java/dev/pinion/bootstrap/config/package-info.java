/** Settings of {@code serve}: where they may come from, which there are, what they mean. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.config;
