/** The history of instances: a projection of the journals into a database, and its readers. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.history;
