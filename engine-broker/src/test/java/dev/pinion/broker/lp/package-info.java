/** Tests of linear programs and their proofs. */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker.lp;
