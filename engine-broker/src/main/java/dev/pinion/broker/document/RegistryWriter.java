package dev.pinion.broker.document;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.registry.InterfaceMapping;
import dev.pinion.broker.registry.PublishedTable;
import dev.pinion.broker.registry.RegisteredService;
import dev.pinion.broker.registry.ServiceRegistry;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Writes the input of {@link RegistryReader}. Thread-safe. */
public final class RegistryWriter {
  private static final ObjectMapper JSON = new ObjectMapper();

  private RegistryWriter() {}

  /** A document of a registry. */
  public static byte[] registry(ServiceRegistry serviceRegistry) {
    ObjectNode root = JSON.createObjectNode().put("schema", RegistryReader.REGISTRY);
    putRegistry(root, serviceRegistry.version(), serviceRegistry);
    return bytes(root);
  }

  /** A document of one service: the input of {@link RegistryReader#service}. */
  public static String service(RegisteredService service) {
    ObjectNode node = JSON.createObjectNode();
    put(node, service);
    return node.toString();
  }

  /** A document of a table. */
  public static byte[] table(PublishedTable table) {
    ObjectNode root = JSON.createObjectNode().put("schema", RegistryReader.TABLE);
    root.put("defaultClass", table.defaultClass());
    putRegistry(root, table.version(), table.registry());
    if (!table.callers().isEmpty()) {
      ObjectNode callers = root.putObject("callers");
      table.callers().forEach((user, of) -> of.forEach(callers.putArray(user)::add));
    }
    if (!table.rates().isEmpty()) {
      ObjectNode rates = root.putObject("rates");
      table.rates().forEach((name, of) -> of.forEach(rates.putObject(name)::put));
    }
    if (!table.served().isEmpty()) {
      table.served().forEach(root.putObject("served")::put);
    }
    ObjectNode bindings = root.putObject("bindings");
    table
        .bindings()
        .forEach(
            (serviceClass, services) -> {
              ObjectNode ofClass = bindings.putObject(serviceClass);
              services.forEach(
                  (service, shares) -> {
                    ArrayNode array = ofClass.putArray(service);
                    shares.forEach(
                        each -> {
                          ObjectNode share = array.addObject();
                          share.put("pattern", each.pattern().label());
                          each.services().forEach(share.putArray("services")::add);
                          share.put("fraction", each.fraction());
                        });
                  });
            });
    return bytes(root);
  }

  private static void putRegistry(ObjectNode root, long version, ServiceRegistry serviceRegistry) {
    root.put("version", version);
    ArrayNode services = root.putArray("services");
    serviceRegistry.services().forEach(each -> put(services.addObject(), each));
    serviceRegistry.stateful().forEach(root.putArray("stateful")::add);
  }

  private static void put(ObjectNode node, RegisteredService service) {
    ConcreteService promise = service.promise();
    node.put("id", promise.id());
    service.serves().forEach(node.putArray("serves")::add);
    node.put("endpoint", service.endpoint()).put("idempotent", service.idempotent());
    node.put("r", promise.response()).put("d", promise.reliability()).put("c", promise.cost());
    if (promise.isLimited()) {
      node.put("load", promise.load());
    }
    if (service.stateful()) {
      node.put("stateful", true);
    }
    if (service.async()) {
      node.put("async", true);
    }
    put(node, "from", service.from());
    put(node, "until", service.until());
    InterfaceMapping interfaceMapping = service.mapping();
    if (!interfaceMapping.equals(InterfaceMapping.NONE)) {
      put(node.putObject("mapping"), interfaceMapping);
    }
  }

  private static void put(ObjectNode node, String key, @Nullable Instant moment) {
    if (moment != null) {
      node.put(key, moment.toString());
    }
  }

  private static void put(ObjectNode node, InterfaceMapping interfaceMapping) {
    if (interfaceMapping.path() != null) {
      node.put("path", interfaceMapping.path());
    }
    interfaceMapping.headers().forEach(node.putObject("headers")::put);
    if (interfaceMapping.request() != null) {
      node.put("request", interfaceMapping.request());
    }
    if (interfaceMapping.answer() != null) {
      node.put("answer", interfaceMapping.answer());
    }
  }

  private static byte[] bytes(ObjectNode root) {
    try {
      return JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(root);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("expected a tree that can be written", e);
    }
  }
}
