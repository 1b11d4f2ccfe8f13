"""The forward pass and the training step that step.rs measures, in plain PyTorch layers.

    python torch_step.py                                # both shapes, a line of JSON each
    python torch_step.py --shape small                  # one of them
    python torch_step.py --against BINARY --rounds 3    # in turn with a built bench of step.rs, and the ratios

Eager mode, float32, attention by `scaled_dot_product_attention`, as many threads as there are processors. Everything
that can be is fused by the library's own means: one product for query, key and value, one for gate and value.
"""

import argparse
import json
import math
import os
import resource
import statistics
import subprocess
import sys
import time

SHAPES = {
    "base": dict(hidden=512, heads=8, ffn=1536, side=30, batch=1),
    "small": dict(hidden=128, heads=4, ffn=512, side=10, batch=16),
}
VOCABULARY, PREFIX, LAYERS, FREE, BOUND, RUNS = 12, 16, 4, 2, 6, 7


def build(shape):
    import torch
    from torch import nn
    from torch.nn import functional as F

    hidden, heads, ffn = shape["hidden"], shape["heads"], shape["ffn"]
    positions, head = PREFIX + shape["side"] ** 2, hidden // heads
    waves = 10_000.0 ** (-torch.arange(0, head, 2).float() / head)
    angles = torch.outer(torch.arange(positions).float(), waves)
    cos, sin = (f(torch.cat([angles, angles], -1))[:, None] for f in (torch.cos, torch.sin))

    def turn(x):
        low, high = x.chunk(2, -1)
        return x * cos + torch.cat([-high, low], -1) * sin

    def rms(x):
        return F.rms_norm(x, (hidden,), eps=1e-5)

    class Layer(nn.Module):
        def __init__(self):
            super().__init__()
            self.qkv = nn.Linear(hidden, 3 * hidden, bias=False)
            self.out = nn.Linear(hidden, hidden, bias=False)
            self.gate_up = nn.Linear(hidden, 2 * ffn, bias=False)
            self.conv = nn.Conv1d(ffn, ffn, 2, padding=1, groups=ffn)
            self.down = nn.Linear(ffn, hidden, bias=False)

        def forward(self, h):
            q, k, v = self.qkv(h).view(*h.shape[:2], 3, heads, head).unbind(2)
            q, k, v = (x.transpose(1, 2) for x in (turn(q), turn(k), v))
            seen = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(h.shape)
            h = rms(h + self.out(seen))
            gate, up = self.gate_up(h).chunk(2, -1)
            mixed = self.conv((F.silu(gate) * up).transpose(1, 2))[..., :positions].transpose(1, 2)
            return rms(h + self.down(F.silu(mixed)))

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.tokens = nn.Embedding(VOCABULARY, hidden)
            self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
            self.head = nn.Linear(hidden, VOCABULARY, bias=False)
            self.halt = nn.Linear(hidden, 2)
            self.register_buffer("start", torch.randn(hidden))

        def pass_(self, z, injected):
            z = z + injected
            for layer in self.layers:
                z = layer(z)
            return z

        def forward(self, cells):
            prefix = torch.zeros(len(cells), PREFIX, hidden)
            injected = math.sqrt(hidden) * torch.cat([prefix, self.tokens(cells)], 1)
            z = self.start.expand_as(injected)
            with torch.no_grad():
                for _ in range(FREE):
                    z = self.pass_(z, injected)
            for _ in range(BOUND):
                z = self.pass_(z, injected)
            return self.head(z[:, PREFIX:]), self.halt(z[:, 0])

    return Net()


def adam_atan2(parameters, state, number, lr=1e-4, betas=(0.9, 0.95), decay=0.1):
    """The step of the CUDA package, in PyTorch's operations on all tensors at once."""
    import torch

    grads = [p.grad for p in parameters]
    if not state:
        state[:] = [[torch.zeros_like(p) for p in parameters] for _ in range(2)]
    first, second = state
    torch._foreach_mul_(parameters, 1 - lr * decay)
    torch._foreach_lerp_(first, grads, 1 - betas[0])
    torch._foreach_mul_(second, betas[1])
    torch._foreach_addcmul_(second, grads, grads, 1 - betas[1])
    root = torch._foreach_sqrt(second)
    torch._foreach_div_(root, math.sqrt(1 - betas[1] ** number))
    for p, m, r in zip(parameters, first, root):
        p.sub_(torch.atan2(m, r), alpha=lr / (1 - betas[0] ** number))


def stablemax(logits, labels):
    import torch

    x = logits.double()
    weights = torch.where(x < 0, 1 / (1 - x + 1e-30), x + 1)
    chosen = (weights / weights.sum(-1, keepdim=True)).log().gather(-1, labels[..., None])
    return -chosen[..., 0].mean(-1)


def measure(work):
    work()
    walls, before = [], time.process_time()
    for _ in range(RUNS):
        start = time.perf_counter()
        work()
        walls.append(time.perf_counter() - start)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return dict(wall_s=statistics.median(walls), cpu_s=(time.process_time() - before) / RUNS, peak_mib=peak)


def report(name):
    import torch
    from torch.nn import functional as F

    torch.manual_seed(0)
    torch.set_num_threads(len(os.sched_getaffinity(0)))
    shape = SHAPES[name]
    net, batch = build(shape), shape["batch"]
    parameters, state, number = list(net.parameters()), [], [0]
    labels = (2 + torch.arange(batch * shape["side"] ** 2) * 7 % 10).view(batch, -1)

    def forward():
        with torch.no_grad():
            net(labels)[0].sum().item()

    def step():
        number[0] += 1
        logits, halt = net(labels)
        halts = F.binary_cross_entropy_with_logits(halt[:, 0], torch.zeros(batch), reduction="sum")
        loss = (stablemax(logits, labels).sum() + 0.5 * halts) / batch
        loss.backward()
        with torch.no_grad():
            adam_atan2(parameters, state, number[0])
        for parameter in parameters:
            parameter.grad = None

    result = dict(side="torch", shape=name, threads=torch.get_num_threads())
    result |= dict(parameters=sum(p.numel() for p in parameters), forward=measure(forward), step=measure(step))
    return result


def against(binary, names, rounds):
    """Both sides in turn; prints every line, and for each figure the median of ours over that of theirs."""
    commands = {"torch": [sys.executable, __file__], "solver": [binary]}
    for name in names:
        lines = {side: [] for side in commands}
        for _ in range(rounds):
            for side, command in commands.items():
                out = subprocess.run([*command, "--shape", name], check=True, capture_output=True, text=True).stdout
                lines[side].append(json.loads(out))
                print(out.strip(), flush=True)
        for part in ("forward", "step"):
            median = {
                side: {key: statistics.median(line[part][key] for line in lines[side]) for key in lines[side][0][part]}
                for side in lines
            }
            ratios = {key: round(median["solver"][key] / median["torch"][key], 3) for key in median["torch"]}
            print(json.dumps(dict(shape=name, part=part, ratio=ratios)), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shape", choices=SHAPES, action="append")
    parser.add_argument("--against", metavar="BINARY", help="a built bench of step.rs")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    names = options.shape or list(SHAPES)
    if options.against:
        against(options.against, names, options.rounds)
    elif len(names) == 1:
        print(json.dumps(report(names[0])))
    else:
        for name in names:
            subprocess.run([sys.executable, __file__, "--shape", name], check=True)


if __name__ == "__main__":
    main()
