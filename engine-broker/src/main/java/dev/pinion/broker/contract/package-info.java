/** What users were promised, the classes it is promised by, and the model that these are about. */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker.contract;
