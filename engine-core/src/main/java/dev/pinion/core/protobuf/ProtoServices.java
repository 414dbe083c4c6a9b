package dev.pinion.core.protobuf;

import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The services of a {@code .proto} file. Immutable. */
public final class ProtoServices {
  private final List<ServiceDescriptor> services;

  private ProtoServices(List<ServiceDescriptor> services) {
    this.services = services;
  }

  static ProtoServices of(FileDescriptor file) {
    List<ServiceDescriptor> services = new ArrayList<>(file.getServices());
    file.getPublicDependencies().forEach(each -> services.addAll(each.getServices()));
    return new ProtoServices(List.copyOf(services));
  }

  /** Full names of the services. */
  public List<String> names() {
    return services.stream().map(ServiceDescriptor::getFullName).toList();
  }

  /** Whether there is a service with a full name, or one whose name without package it is. */
  public boolean has(String service) {
    return find(service) != null;
  }

  /** Names of the methods of a service; none when there is no such service. */
  public List<String> methods(String service) {
    ServiceDescriptor found = find(service);
    return found == null
        ? List.of()
        : found.getMethods().stream().map(MethodDescriptor::getName).toList();
  }

  /** A method, or null when there is none. */
  public @Nullable ProtoMethod method(String service, String method) {
    ServiceDescriptor found = find(service);
    MethodDescriptor descriptor = found == null ? null : found.findMethodByName(method);
    return descriptor == null ? null : new ProtoMethod(descriptor);
  }

  private @Nullable ServiceDescriptor find(String service) {
    for (ServiceDescriptor each : services) {
      if (each.getFullName().equals(service)) {
        return each;
      }
    }
    List<ServiceDescriptor> same =
        services.stream().filter(each -> each.getName().equals(service)).toList();
    return same.size() == 1 ? same.getFirst() : null;
  }
}
