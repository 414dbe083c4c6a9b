/** Tests of {@code bootstrap.brokerd}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.brokerd;
