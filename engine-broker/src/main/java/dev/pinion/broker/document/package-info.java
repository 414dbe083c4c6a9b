/** Reads problems from documents of schema {@code broker-lp/1}, and tells all that is wrong. */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker.document;
