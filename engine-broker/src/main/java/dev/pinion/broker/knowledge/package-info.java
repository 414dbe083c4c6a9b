/**
 * What the broker remembers: the port to a database, whoever has its driver. Facts are only added,
 * never changed, but for copies of the documents that the data folder has.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker.knowledge;
