package dev.pinion.core.request;

import dev.pinion.core.message.KernelQuery;
import dev.pinion.core.message.KernelReply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.InstanceView;
import io.netty.handler.codec.http.FullHttpRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;

/** One page of instances: the newest ones of every kernel of every replica, merged. */
final class ListOperation extends Inquiry {
  private final RequestHandler handler;
  private final InstanceFilter filter;
  private final Page page;
  private final PeerInstances peers;
  private final Supplier<FullHttpRequest> forPeers;
  private final List<InstanceView> found = new ArrayList<>();
  private final List<Integer> missing = new ArrayList<>();
  private boolean moreElsewhere;
  private int parts;

  /** Shows a page. */
  @FunctionalInterface
  interface Page {
    /**
     * Answers with instances.
     *
     * @param instances newest first
     * @param more whether there are older ones
     * @param missing replicas that did not report theirs
     */
    void show(Exchange exchange, List<InstanceView> instances, boolean more, List<Integer> missing)
        throws Refusal;
  }

  /**
   * A requested list.
   *
   * @param forPeers makes the request that asks another replica for its part
   */
  ListOperation(
      Exchange exchange,
      RequestHandler handler,
      InstanceFilter filter,
      PeerInstances peers,
      Supplier<FullHttpRequest> forPeers,
      Page page) {
    super(exchange);
    this.forPeers = forPeers;
    this.peers = peers;
    this.handler = handler;
    this.filter = filter;
    this.page = page;
  }

  void ask() throws Refusal {
    handler.lists().begin(exchange());
    KernelDirectory kernels = handler.ports().kernels();
    List<Integer> others = peers.others(exchange());
    parts = kernels.kernels() + others.size();
    long request = exchange().await(this, 0);
    KernelQuery.ListInstances question =
        new KernelQuery.ListInstances(
            filter.namespace(),
            filter.name(),
            filter.version(),
            filter.states(),
            filter.before(),
            filter.limit() + 1,
            new ReplyAddress(handler.index(), request));
    if (!kernels.offerToAll(question)) {
      throw new Refusal(Problem.overload("kernel.inboxCapacity"));
    }
    others.forEach(slot -> peers.ask(exchange(), slot, forPeers.get(), new FromPeer()));
  }

  private final class FromPeer implements PeerInstances.Part {
    @Override
    public void found(List<InstanceView> instances, boolean more) throws Refusal {
      moreElsewhere |= more;
      add(instances);
    }

    @Override
    public void missing(int slot) throws Refusal {
      missing.add(slot);
      add(List.of());
    }
  }

  @Override
  void onReply(KernelReply reply) throws Refusal {
    if (!(reply instanceof KernelReply.Page part)) {
      throw new IllegalStateException("expected a page of instances, found " + reply);
    }
    add(part.instances());
  }

  private void add(List<InstanceView> instances) throws Refusal {
    found.addAll(instances);
    parts--;
    if (parts == 0) {
      found.sort(Comparator.comparing(InstanceView::id).reversed());
      boolean cut = found.size() > filter.limit();
      List<InstanceView> shown = cut ? found.subList(0, filter.limit()) : found;
      page.show(exchange(), shown, cut || moreElsewhere, missing);
    }
  }
}
