/**
 * Memory of the broker: the port to a database, which may have any driver. Facts are only added,
 * never changed, except for copies of the documents in the data folder.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker.knowledge;
