package dev.pinion.broker.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.broker.monitor.CallStatistics;
import dev.pinion.broker.monitor.ClassStatistics;
import dev.pinion.broker.monitor.ObservationBatch;
import dev.pinion.broker.monitor.ServiceQuality;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * Observations of replicas for the broker, and the broker's display of them. Histograms are in the
 * compressed form of HdrHistogram, in Base64. Thread-safe.
 */
public final class ObservationJson {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String CLASS = "class";

  private ObservationJson() {}

  /** Writes a batch. */
  public static String batch(ObservationBatch observationBatch) {
    ObjectNode root = JSON.createObjectNode().put("dropped", observationBatch.dropped());
    ArrayNode services = root.putArray("services");
    for (ObservationBatch.ServiceSample each : observationBatch.services()) {
      ObjectNode node = services.addObject().put("service", each.service());
      node.put(CLASS, each.serviceClass()).set("tally", tally(each.tally()));
      node.put("micros", encoded(each.micros()));
    }
    ArrayNode classes = root.putArray("classes");
    for (ObservationBatch.ClassSample each : observationBatch.classes()) {
      ObjectNode node = classes.addObject().put(CLASS, each.serviceClass());
      node.put("begun", each.begun()).set("ended", tally(each.ended()));
      each.invocations().forEach(node.putObject("invocations")::put);
    }
    return root.toString();
  }

  /**
   * Reads a batch.
   *
   * @throws IOException when it is not a batch
   */
  public static ObservationBatch batch(String document) throws IOException {
    JsonNode root = JSON.readTree(document);
    List<ObservationBatch.ServiceSample> services = new ArrayList<>();
    for (JsonNode each : root.path("services")) {
      services.add(
          new ObservationBatch.ServiceSample(
              each.path("service").asText(),
              each.path(CLASS).asText(),
              tally(each.path("tally")),
              decoded(each.path("micros").asText())));
    }
    List<ObservationBatch.ClassSample> classes = new ArrayList<>();
    for (JsonNode each : root.path("classes")) {
      Map<String, Long> invocations = new HashMap<>();
      each.path("invocations")
          .properties()
          .forEach(one -> invocations.put(one.getKey(), one.getValue().asLong()));
      classes.add(
          new ObservationBatch.ClassSample(
              each.path(CLASS).asText(),
              each.path("begun").asLong(),
              tally(each.path("ended")),
              invocations));
    }
    return new ObservationBatch(services, classes, root.path("dropped").asLong());
  }

  private static ArrayNode tally(CallStatistics callStatistics) {
    return JSON.createArrayNode()
        .add(callStatistics.count())
        .add(callStatistics.failures())
        .add(callStatistics.seconds())
        .add(callStatistics.squares());
  }

  private static CallStatistics tally(JsonNode node) throws IOException {
    double[] sums = new double[4];
    for (int i = 0; i < sums.length; i++) {
      sums[i] = node.path(i).asDouble(-1);
      if (!(sums[i] >= 0 && sums[i] < Double.POSITIVE_INFINITY)) {
        throw new IOException("expected four sums of at least 0 as a tally, found " + node);
      }
    }
    return new CallStatistics(sums[0], sums[1], sums[2], sums[3]);
  }

  private static String encoded(Histogram histogram) {
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(buffer);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
  }

  private static Histogram decoded(String text) throws IOException {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(text));
      return Histogram.decodeFromCompressedByteBuffer(bytes, 1);
    } catch (DataFormatException | RuntimeException e) {
      throw new IOException("expected a histogram, found other bytes", e);
    }
  }

  /**
   * A service with its observations: its document, and its observed quality next to its promise.
   *
   * @param document document of the service
   * @param found for all classes together, then by class
   */
  public static String observed(String document, List<ServiceQuality> found) {
    if (found.isEmpty()) {
      return document;
    }
    try {
      ObjectNode root = (ObjectNode) JSON.readTree(document);
      ObjectNode observed = root.putObject("observed");
      for (ServiceQuality each : found) {
        if (each.serviceClass().isEmpty()) {
          put(observed, each);
        } else {
          put(observed.withObjectProperty("classes").putObject(each.serviceClass()), each);
        }
      }
      return root.toString();
    } catch (IOException e) {
      throw new IllegalStateException("expected a document that was written here", e);
    }
  }

  /**
   * A class with its observations: its document, and the observed levels next to the promised ones.
   *
   * @param document document of the class
   */
  public static String observed(String document, ClassStatistics found) {
    CallStatistics levels = found.levels();
    if (levels.count() == 0) {
      return document;
    }
    try {
      ObjectNode root = (ObjectNode) JSON.readTree(document);
      ObjectNode observed = root.putObject("observed");
      observed.put("seconds", found.span()).put("requests", levels.count());
      observed.put("r", levels.mean()).put("rError", levels.meanError());
      observed.put("d", levels.reliability()).put("arrivals", found.arrivals());
      return root.toString();
    } catch (IOException e) {
      throw new IllegalStateException("expected a document that was written here", e);
    }
  }

  private static void put(ObjectNode node, ServiceQuality serviceQuality) {
    node.put("calls", serviceQuality.total()).put("r", serviceQuality.recent().mean());
    node.put("rError", serviceQuality.recent().meanError())
        .put("d", serviceQuality.recent().reliability());
    node.put("p50", serviceQuality.percentiles().p50())
        .put("p95", serviceQuality.percentiles().p95())
        .put("p99", serviceQuality.percentiles().p99());
  }
}
