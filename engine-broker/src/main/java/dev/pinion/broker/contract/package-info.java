/** Contracts of users, their classes, and the model that these are about. */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker.contract;
