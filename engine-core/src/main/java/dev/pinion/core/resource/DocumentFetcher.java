package dev.pinion.core.resource;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.invoker.InvokerCounters;
import dev.pinion.core.invoker.ServiceCaller;
import dev.pinion.core.invoker.http.ChannelTypes;
import dev.pinion.core.invoker.http.ClientTls;
import dev.pinion.core.invoker.http.NettyServiceCaller;
import dev.pinion.core.invoker.http.ServiceCallerSettings;
import dev.pinion.core.language.reference.DocumentSource;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.EngineVersion;
import io.netty.channel.EventLoop;
import java.util.function.Function;

/** Opens sources of documents that are fetched. Any thread. */
public final class DocumentFetcher {
  private final EngineLimits limits;
  private final AllowedDocuments allowed;
  private final Function<EventLoop, ServiceCaller> callers;
  private final Clock clock;

  /**
   * A fetcher that makes connections as calls do.
   *
   * @param allowed folders and URLs of documents
   * @param tls certificates that are trusted
   */
  public DocumentFetcher(
      EngineLimits limits, AllowedDocuments allowed, ClientTls tls, Clock clock) {
    this(limits, allowed, loop -> caller(loop, limits, tls), clock);
  }

  /**
   * A fetcher with another client.
   *
   * @param callers makes the client of an event loop
   */
  DocumentFetcher(
      EngineLimits limits,
      AllowedDocuments allowed,
      Function<EventLoop, ServiceCaller> callers,
      Clock clock) {
    this.limits = limits;
    this.allowed = allowed;
    this.callers = callers;
    this.clock = clock;
  }

  private static ServiceCaller caller(EventLoop loop, EngineLimits limits, ClientTls tls) {
    ServiceCallerSettings settings =
        new ServiceCallerSettings(
            limits.invoker(),
            new PayloadCodec(limits.json()),
            tls,
            ChannelTypes.nio(),
            "pinion/" + EngineVersion.CURRENT,
            () -> true);
    return new NettyServiceCaller(loop, settings, new InvokerCounters());
  }

  /** A source of the documents of one definition, with {@code definition.fetchMillis} from now. */
  public DocumentSource open() {
    return new FetchedDocuments(limits.definition(), allowed, callers, clock);
  }
}
