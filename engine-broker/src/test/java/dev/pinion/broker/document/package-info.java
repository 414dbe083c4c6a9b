/** Tests of the reader of problems. */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker.document;
