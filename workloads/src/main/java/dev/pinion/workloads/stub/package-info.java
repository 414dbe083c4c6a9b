/** The stub web-service provider: services that return a known formula and count every call. */
@org.jspecify.annotations.NullMarked
package dev.pinion.workloads.stub;
