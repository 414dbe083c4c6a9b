/** Tests of {@code bootstrap.admin}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.admin;
