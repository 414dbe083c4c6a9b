/** The client of gRPC services. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.client.grpc;
