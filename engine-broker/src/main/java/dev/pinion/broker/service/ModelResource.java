package dev.pinion.broker.service;

import dev.pinion.broker.document.ContractReader;
import dev.pinion.broker.document.DocumentReading;
import dev.pinion.core.spi.BrokerGateway.BrokerStatus;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The model of the process: a single one, under an empty id. */
final class ModelResource implements ResourceCollection {
  private final Registrar registrar;
  private final ContractReader reader = new ContractReader();

  ModelResource(Registrar registrar) {
    this.registrar = registrar;
  }

  @Override
  public @Nullable String find(String id) {
    String model = registrar.contracts().model();
    return model.isEmpty() ? null : model;
  }

  @Override
  public Collection<String> all() {
    String model = find("");
    return model == null ? List.of() : List.of(model);
  }

  @Override
  public ChangeOutcome put(String id, byte[] body) throws IOException {
    return switch (reader.model(body)) {
      case DocumentReading.Invalid<String> invalid -> ChangeOutcome.invalid(invalid.problems());
      case DocumentReading.Valid<String>(String model) when model.equals(find(id)) ->
          new ChangeOutcome.Done();
      case DocumentReading.Valid<String>(String model) ->
          registrar.redefine(registrar.contracts().withModel(model), "model");
    };
  }

  @Override
  public ChangeOutcome delete(String id) {
    return ChangeOutcome.refused(
        BrokerStatus.NOT_ADMITTED, "expected another model in its place, found none");
  }
}
