package dev.pinion.broker.service;

import dev.pinion.broker.analyse.Calibration;
import dev.pinion.broker.document.BrokerJson;
import dev.pinion.broker.document.CalibrationJson;
import dev.pinion.broker.document.ContractReader;
import dev.pinion.broker.document.DocumentReading;
import dev.pinion.broker.document.RegistryReader;
import dev.pinion.broker.document.RegistryWriter;
import dev.pinion.broker.registry.BrokerFolder;
import dev.pinion.broker.registry.Contracts;
import dev.pinion.broker.registry.Fact;
import dev.pinion.broker.registry.KnowledgeBase;
import dev.pinion.broker.registry.PublishedTable;
import dev.pinion.broker.registry.ServiceRegistry;
import dev.pinion.core.model.Clock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The only access to the broker's documents: registry, contracts and table. Written documents are
 * on disk when a method returns, and a copy of registry and contracts goes to the knowledge. Any
 * thread; other processes may change the registry.
 */
final class BrokerRepository {
  private final BrokerFolder folder;
  private final RegistryReader reader;
  private final Clock clock;
  private final KnowledgeBase knowledgeBase;
  private final ContractReader contractReader = new ContractReader();
  private String knownRegistry = "";
  private String knownTable = "";

  BrokerRepository(
      BrokerFolder folder, RegistryReader reader, Clock clock, KnowledgeBase knowledgeBase) {
    this.folder = folder;
    this.reader = reader;
    this.clock = clock;
    this.knowledgeBase = knowledgeBase;
  }

  /** A change of the registry. */
  @FunctionalInterface
  interface RegistryChange {
    ServiceRegistry of(ServiceRegistry before);
  }

  /** The registry as stored; later writes of others count as their changes. */
  synchronized ServiceRegistry registry() throws IOException {
    String stamp = stamp(folder.registry());
    ServiceRegistry found = read(folder.registry(), reader::registry);
    knownRegistry = stamp;
    return found == null ? ServiceRegistry.EMPTY : found;
  }

  Contracts contracts() throws IOException {
    Contracts found = read(folder.contracts(), contractReader::contracts);
    return found == null ? Contracts.EMPTY : found;
  }

  /** The saved observations of services and requests; none before the first. */
  Calibration calibration() throws IOException {
    Calibration found = read(folder.calibration(), CalibrationJson::calibration);
    return found == null ? Calibration.NONE : found;
  }

  /** Saves observations, for the next process. */
  synchronized void save(Calibration calibration) throws IOException {
    try (BrokerFolder.WriteLock _ = folder.lock()) {
      BrokerFolder.write(
          folder.calibration(),
          checked(CalibrationJson.document(calibration), CalibrationJson::calibration));
    }
  }

  /** The table as stored; later writes of others count as their changes. */
  synchronized @Nullable PublishedTable table() throws IOException {
    String stamp = stamp(folder.table());
    PublishedTable found = read(folder.table(), reader::table);
    knownTable = stamp;
    return found;
  }

  /** Changes the registry as stored, including changes of others. */
  synchronized ServiceRegistry change(RegistryChange change) throws IOException {
    try (BrokerFolder.WriteLock _ = folder.lock()) {
      ServiceRegistry after = change.of(registry());
      byte[] document = checked(RegistryWriter.registry(after), reader::registry);
      BrokerFolder.write(folder.registry(), document);
      knownRegistry = stamp(folder.registry());
      keep("registry", after.version(), document);
      return after;
    }
  }

  synchronized void save(Contracts contracts) throws IOException {
    try (BrokerFolder.WriteLock _ = folder.lock()) {
      byte[] document = checked(BrokerJson.contracts(contracts), contractReader::contracts);
      BrokerFolder.write(folder.contracts(), document);
      keep("contracts", contracts.version(), document);
    }
  }

  private void keep(String name, long version, byte[] document) {
    Instant now = Instant.ofEpochMilli(clock.epochMillis());
    String text = new String(document, StandardCharsets.UTF_8);
    knowledgeBase.save(new Fact.DocumentSaved(now, name, version, text));
  }

  /**
   * Whether another process has changed the registry since it was read or written here, or the
   * table since then or since the last call.
   */
  synchronized boolean isChangedByOthers() throws IOException {
    String table = stamp(folder.table());
    boolean changed = !table.equals(knownTable) || !stamp(folder.registry()).equals(knownRegistry);
    knownTable = table;
    return changed;
  }

  private static String stamp(Path file) throws IOException {
    return Files.exists(file)
        ? Files.getLastModifiedTime(file).to(TimeUnit.NANOSECONDS) + ":" + Files.size(file) + " "
        : "none ";
  }

  synchronized void publish(PublishedTable table) throws IOException {
    try (BrokerFolder.WriteLock _ = folder.lock()) {
      BrokerFolder.write(folder.table(), checked(RegistryWriter.table(table), reader::table));
      knownTable = stamp(folder.table());
    }
  }

  /** Refuses to write a document that could not be read again. */
  private static <T> byte[] checked(byte[] document, Function<byte[], DocumentReading<T>> how)
      throws IOException {
    if (how.apply(document) instanceof DocumentReading.Invalid<T> invalid) {
      throw new IOException(invalid.problems().getFirst().message());
    }
    return document;
  }

  private static <T> @Nullable T read(Path file, Function<byte[], DocumentReading<T>> how)
      throws IOException {
    byte[] document = BrokerFolder.read(file, RegistryReader.MAX_BYTES);
    if (document == null) {
      return null;
    }
    return switch (how.apply(document)) {
      case DocumentReading.Valid<T>(T value) -> value;
      case DocumentReading.Invalid<T> invalid ->
          throw new IOException(
              "expected a document of the broker in "
                  + file
                  + ", found problems, the first at "
                  + invalid.problems().getFirst());
    };
  }
}
