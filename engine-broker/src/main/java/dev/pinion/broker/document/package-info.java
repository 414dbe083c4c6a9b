/** Reads problems from documents of schema {@code broker-lp/1}, and reports all their problems. */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker.document;
