/** The stub web-service provider: services that answer by a known formula and count every call. */
@org.jspecify.annotations.NullMarked
package dev.pinion.workloads.stub;
