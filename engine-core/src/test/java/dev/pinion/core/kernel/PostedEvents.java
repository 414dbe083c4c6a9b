package dev.pinion.core.kernel;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.events.CloudEventReader;
import dev.pinion.core.events.CloudEventReader.MalformedException;
import dev.pinion.core.events.EventFeeder;
import dev.pinion.core.events.EventLog;
import dev.pinion.core.events.InMemoryEventLog;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.ExternalEvents.EventReceipt;
import dev.pinion.core.spi.ExternalEvents.KernelFeed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** A log of events that a test posts to, and from which it feeds kernels by hand. */
public final class PostedEvents {
  public static final String NAMESPACE = "test";

  public final InMemoryEventLog log;
  private final EngineLimits limits;
  private final EventLog fed;
  private final CloudEventReader reader;
  private EventFeeder feeder;
  private long nowMillis;
  private int ids;

  /** A log that feeds kernels all partitions of which the first owns. */
  public PostedEvents(EngineLimits limits, Kernel... kernels) {
    this(limits, new InMemoryEventLog(limits.events()), kernels);
  }

  /** A log that has fed others before. */
  public PostedEvents(EngineLimits limits, InMemoryEventLog log, Kernel... kernels) {
    this(limits, log, log, kernels);
  }

  /**
   * A log of which a test sees what is stored.
   *
   * @param fed the log by which kernels are fed
   */
  PostedEvents(EngineLimits limits, InMemoryEventLog log, EventLog fed, Kernel... kernels) {
    this.fed = fed;
    this.limits = limits;
    this.reader = new CloudEventReader(limits);
    this.log = log;
    this.feeder = feeder(kernels);
  }

  private EventFeeder feeder(Kernel... kernels) {
    List<KernelFeed> feeds = new ArrayList<>();
    for (Kernel kernel : kernels) {
      BitSet partitions = new BitSet();
      if (kernels.length == 1) {
        partitions.set(0, InstanceId.MAX_PARTITIONS);
      } else {
        partitions.set(feeds.size());
      }
      feeds.add(new KernelFeed(kernel.events(), partitions));
    }
    return new EventFeeder(fed, feeds, limits);
  }

  /** Feeds other kernels from now on. */
  public void feedOthers(Kernel... kernels) {
    feeder = feeder(kernels);
  }

  public void time(long epochMillis) {
    nowMillis = epochMillis;
  }

  /** A payload of JSON with single quotes. */
  public static Payload json(String text) {
    byte[] bytes = text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    try {
      return new PayloadCodec(EngineLimits.defaults().json()).read(bytes, 0, bytes.length);
    } catch (PayloadSyntaxException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  /** Posts an event of a type with data, in single quotes, and an id of its own. */
  public void post(String type, String data) {
    postWith("'type':'" + type + "','data':" + data);
  }

  /** Posts an event with attributes, in single quotes, besides version, source and id. */
  public void postWith(String members) {
    String source = members.contains("'source':") ? "" : "'source':'/test',";
    append("{'specversion':'1.0'," + source + "'id':'e" + ++ids + "'," + members + "}");
  }

  private void append(String event) {
    try {
      EventReceipt receipt = log.append(NAMESPACE, reader.read(List.of(json(event))), nowMillis);
      assertInstanceOf(EventReceipt.Stored.class, receipt);
      feeder.tellEnd(log.end());
    } catch (MalformedException e) {
      throw new IllegalArgumentException(event, e);
    }
  }

  /** Feeds kernels; returns whether any was fed. */
  public boolean feed() {
    try {
      return feeder.work(nowMillis);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Stores how far the kernels have come. */
  public void save() {
    try {
      feeder.save(nowMillis);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
