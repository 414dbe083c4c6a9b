package dev.pinion.core.api;

import dev.pinion.core.api.filter.InstanceFilter;
import dev.pinion.core.api.port.KernelDispatcher;
import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.message.Query;
import dev.pinion.core.message.Reply;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.peer.PeerListRequests;
import io.netty.handler.codec.http.FullHttpRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;

/** One page of instances: the newest ones of every kernel of every replica, merged. */
final class ListOperation extends KernelRequest<Reply.Page> {
  private final InstanceFilter filter;
  private final PageRenderer pageRenderer;
  private final PeerListRequests peers;
  private final Supplier<FullHttpRequest> forPeers;
  private final List<InstanceView> found = new ArrayList<>();
  private final List<Integer> missing = new ArrayList<>();
  private boolean moreElsewhere;
  private int parts;

  /** Shows a page. */
  @FunctionalInterface
  interface PageRenderer {
    /**
     * Answers with instances.
     *
     * @param instances newest first
     * @param more whether there are older ones
     * @param missing replicas that did not report theirs
     */
    void show(
        HttpExchange httpExchange,
        List<InstanceView> instances,
        boolean more,
        List<Integer> missing)
        throws ProblemException;
  }

  /**
   * A requested list.
   *
   * @param forPeers makes the request that asks another replica for its part
   */
  ListOperation(
      HttpExchange httpExchange,
      RequestContext context,
      InstanceFilter filter,
      PeerListRequests peers,
      Supplier<FullHttpRequest> forPeers,
      PageRenderer pageRenderer) {
    super(httpExchange, context);
    this.forPeers = forPeers;
    this.peers = peers;
    this.filter = filter;
    this.pageRenderer = pageRenderer;
  }

  void ask() throws ProblemException {
    context().lists().acquire(exchange());
    KernelDispatcher kernels = context().kernels();
    List<Integer> others = peers.others(exchange());
    parts = kernels.kernels() + others.size();
    await(0);
    Query.ListInstances question =
        new Query.ListInstances(
            filter.namespace(),
            filter.name(),
            filter.version(),
            filter.states(),
            filter.parent(),
            filter.before(),
            filter.limit() + 1,
            replyTo());
    if (!kernels.offerToAll(question)) {
      throw new ProblemException(Problem.overload("kernel.inboxCapacity"));
    }
    others.forEach(slot -> peers.ask(exchange(), slot, forPeers.get(), new PeerPart()));
  }

  private final class PeerPart implements PeerListRequests.PartListener {
    @Override
    public void found(List<InstanceView> instances, boolean more) throws ProblemException {
      moreElsewhere |= more;
      add(instances);
    }

    @Override
    public void missing(int slot) throws ProblemException {
      missing.add(slot);
      add(List.of());
    }
  }

  @Override
  void onReply(Reply.Page reply) throws ProblemException {
    add(reply.instances());
  }

  private void add(List<InstanceView> instances) throws ProblemException {
    found.addAll(instances);
    parts--;
    if (parts == 0) {
      found.sort(Comparator.comparing(InstanceView::id).reversed());
      boolean cut = found.size() > filter.limit();
      List<InstanceView> shown = cut ? found.subList(0, filter.limit()) : found;
      pageRenderer.show(exchange(), shown, cut || moreElsewhere, missing);
    }
  }
}
