"""The training step of slot-Mamba (configuration S) that step.rs measures, in plain PyTorch layers.

    python torch_step.py                                # a line of JSON
    python torch_step.py --against BINARY --rounds 3    # in turn with a built bench of step.rs, and the ratio

Eager mode, float32, as many threads as there are processors. 8 sequences of 8 frames; one-hot masks of 8 components are
given, and so are relations and sources; forward pass, copy-and-edit loss, backward pass, clipping and AdamW.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time

SIDE, CHANNELS, WIDTH, COMPONENTS, LEARNED, BLOCKS, HEADS = 64, 16, 96, 8, 2, 2, 4
STATES, INNER, RANK, TAPS, DECODER, PATCH = 16, 192, 6, 4, 16, 4
KINDS, SOURCES, RELATIONS = 16, 16, 83
VALUES = 1 + KINDS + SOURCES
SEQUENCES, STEPS, RUNS = 8, 8, 5
SLOTS, FRAMES, PATCHES = COMPONENTS + LEARNED, SEQUENCES * STEPS, (SIDE // PATCH) ** 2


def build():
    import torch
    from torch import nn
    from torch.nn import functional as F

    def patched(x):  # [F, C, side, side] -> [F, patches, 16, C]
        x = F.pixel_unshuffle(x.flatten(0, 1).unsqueeze(1), PATCH)  # [F*C, 16, 16, 16]
        return x.view(FRAMES, -1, PATCH * PATCH, PATCHES).permute(0, 3, 2, 1)

    class Film(nn.Module):
        def __init__(self, channels, condition, dilation):
            super().__init__()
            self.conv = nn.Conv2d(channels, channels, 3, padding=dilation, dilation=dilation, bias=False)
            self.film = nn.Linear(condition, 2 * channels)

        def forward(self, x, condition):
            gain, bias = self.film(condition)[:, :, None, None].chunk(2, 1)
            return F.relu(self.conv(x) * (1 + gain) + bias)

    class Mamba(nn.Module):
        def __init__(self):
            super().__init__()
            self.enter = nn.Linear(WIDTH, 2 * INNER, bias=False)
            self.conv = nn.Conv1d(INNER, INNER, TAPS, padding=TAPS - 1, groups=INNER)
            self.select = nn.Linear(INNER, RANK + 2 * STATES, bias=False)
            self.lengths = nn.Linear(RANK, INNER)
            self.log_rates = nn.Parameter(torch.arange(1, STATES + 1).float().log().repeat(INNER, 1))
            self.skip = nn.Parameter(torch.ones(INNER))
            self.leave = nn.Linear(INNER, WIDTH, bias=False)

        def forward(self, u):  # [S, T, D]
            x, gate = self.enter(u).chunk(2, -1)
            x = F.silu(self.conv(x.transpose(1, 2))[..., :STEPS].transpose(1, 2))
            r, b, c = self.select(x).split([RANK, STATES, STATES], -1)
            delta = F.softplus(self.lengths(r))
            decay = torch.exp(delta[..., None] * -self.log_rates.exp())
            entering = (delta * x)[..., None] * b[:, :, None]
            h, ys = torch.zeros_like(entering[:, 0]), []
            for t in range(STEPS):
                h = decay[:, t] * h + entering[:, t]
                ys.append((h * c[:, t, None]).sum(-1))
            return self.leave((torch.stack(ys, 1) + x * self.skip) * F.silu(gate))

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.norms = nn.ModuleList(nn.RMSNorm(WIDTH, eps=1e-5) for _ in range(5))
            self.query, self.key, self.value = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(3))
            self.seen, self.gain, self.shift, self.out = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
            self.mamba = Mamba()
            self.qkv = nn.Linear(WIDTH, 3 * WIDTH, bias=False)
            self.up, self.down = nn.Linear(WIDTH, 2 * WIDTH), nn.Linear(2 * WIDTH, WIDTH)

        def forward(self, slots, patches, action):
            patches = self.norms[0](patches)
            scores = self.key(patches) @ self.query(self.norms[1](slots)).transpose(1, 2) / WIDTH**0.5
            shares = scores.softmax(-1).transpose(1, 2)
            slots = slots + self.seen(shares / (shares.sum(-1, keepdim=True) + 1e-5) @ self.value(patches))
            told = self.norms[2](slots) * (1 + self.gain(action))[:, None] + self.shift(action)[:, None]
            told = told.view(SEQUENCES, STEPS, SLOTS, WIDTH).transpose(1, 2).reshape(-1, STEPS, WIDTH)
            after = self.mamba(told).view(SEQUENCES, SLOTS, STEPS, WIDTH).transpose(1, 2)
            slots = slots + after.reshape(FRAMES, SLOTS, WIDTH)
            all_ = self.norms[3](torch.cat([slots, action[:, None]], 1))
            q, k, v = self.qkv(all_).view(FRAMES, SLOTS + 1, 3, HEADS, -1).permute(2, 0, 3, 1, 4)
            mixed = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(FRAMES, SLOTS + 1, WIDTH)
            slots = slots + self.out(mixed)[:, :SLOTS]
            return slots + self.down(F.relu(self.up(self.norms[4](slots)))), shares

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.colors = nn.Embedding(16, 16)
            self.first, self.second = nn.Conv2d(20, CHANNELS, 3, padding=1), nn.Conv2d(CHANNELS, CHANNELS, 3, padding=1)
            self.related = nn.Linear(RELATIONS, CHANNELS, bias=False)
            self.actions, self.before, self.facts = nn.Embedding(8, WIDTH), nn.Embedding(8, WIDTH), nn.Linear(19, WIDTH)
            self.patches = nn.Linear(PATCH * PATCH * CHANNELS, WIDTH)
            self.looks, self.geometry = nn.Linear(CHANNELS, WIDTH), nn.Linear(7, WIDTH)
            self.learned = nn.Parameter(torch.randn(LEARNED, WIDTH))
            self.blocks = nn.ModuleList(Block() for _ in range(BLOCKS))
            self.masks, self.near = nn.Linear(PATCH * PATCH, DECODER, bias=False), nn.Linear(WIDTH, DECODER)
            self.shares = nn.Parameter(torch.randn(DECODER) / 2)
            self.convs = nn.ModuleList(Film(DECODER, WIDTH, 1) for _ in range(2))
            self.say = nn.Linear(DECODER, PATCH * PATCH * (1 + VALUES))
            self.trunk = nn.ModuleList(Film(CHANNELS, 2 * WIDTH, d) for d in (1, 2, 4, 8))
            self.skip, self.aside = nn.Linear(CHANNELS, VALUES), nn.Linear(2 * WIDTH, 4)
            axis = torch.linspace(0, 1, SIDE)
            self.register_buffer("places", torch.stack(torch.meshgrid(axis, axis, indexing="xy"))[None])

        def forward(self, colors, bits, relations, masks, geometry, actions, before, facts):
            places = self.places.expand(FRAMES, -1, -1, -1)
            x = torch.cat([self.colors(colors).permute(0, 3, 1, 2), places, bits], 1)
            related = F.relu(self.related(relations)).permute(0, 3, 1, 2)
            seen = F.relu(self.second(F.relu(self.first(x)) + related))
            action = self.actions(actions) + self.before(before) + self.facts(facts)
            cells = patched(seen)
            patches = self.patches(cells.reshape(FRAMES, PATCHES, -1))
            flat = masks.flatten(2)
            looks = flat @ cells.reshape(FRAMES, -1, CHANNELS) / (flat.sum(-1, keepdim=True) + 1e-5)
            slots = torch.cat([self.looks(looks) + self.geometry(geometry), self.learned.expand(FRAMES, -1, -1)], 1)
            for block in self.blocks:
                slots, shares = block(slots, patches, action)
            owned = F.pad(self.masks(masks), (0, 0, 0, 0, 0, LEARNED))
            spread = F.relu(owned + shares[..., None] * self.shares + self.near(patches)[:, None])
            hidden = spread.view(FRAMES * SLOTS, 16, 16, DECODER).permute(0, 3, 1, 2)
            for conv in self.convs:
                hidden = conv(hidden, slots.flatten(0, 1))
            said = self.say(hidden.permute(0, 2, 3, 1)).view(FRAMES, SLOTS, PATCHES, -1)
            share = said[..., : PATCH * PATCH].softmax(1)[..., None]
            what = said[..., PATCH * PATCH :].view(FRAMES, SLOTS, PATCHES, PATCH * PATCH, VALUES)
            cells = (share * what).sum(1).view(FRAMES, 16, 16, PATCH, PATCH, VALUES)
            cells = cells.transpose(2, 3).reshape(FRAMES, SIDE, SIDE, VALUES)
            summary = torch.cat([action, slots.mean(1)], -1)
            for conv in self.trunk:
                seen = seen + conv(seen, summary)
            return cells + self.skip(seen.permute(0, 2, 3, 1)), self.aside(summary)

    return Net()


def report():
    import torch
    from torch.nn import functional as F

    torch.manual_seed(0)
    torch.set_num_threads(len(os.sched_getaffinity(0)))
    net = build()
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
    old = torch.randint(16, (FRAMES, SIDE, SIDE))
    new = torch.where(torch.rand(FRAMES, SIDE, SIDE) < 0.01, torch.randint(16, old.shape), old)
    changed = (old != new).float()
    weights = changed / changed.sum((1, 2), keepdim=True).clamp(min=1)
    weights = (weights + (1 - changed) / (1 - changed).sum((1, 2), keepdim=True)) / FRAMES
    masks = (torch.rand(FRAMES, COMPONENTS, PATCHES, PATCH * PATCH) < 0.01).float()
    relations, sources = torch.rand(FRAMES, SIDE, SIDE, RELATIONS), torch.randint(KINDS, (FRAMES, SIDE, SIDE, SOURCES))
    inputs = (old, torch.zeros(FRAMES, 2, SIDE, SIDE), relations, masks, torch.rand(FRAMES, COMPONENTS, 7))
    inputs += (torch.randint(1, 8, (FRAMES,)), torch.randint(1, 8, (FRAMES,)), torch.rand(FRAMES, 19))
    outcomes, changes = torch.zeros(FRAMES).long(), torch.ones(FRAMES)

    def step():
        optimizer.zero_grad()
        cells, aside = net(*inputs)
        edit = cells[..., 0].sigmoid()
        choices = cells[..., 1:].softmax(-1)
        color = choices.gather(-1, new[..., None])[..., 0] + (choices[..., KINDS:] * (sources == new[..., None])).sum(-1)
        loss = -(weights * (edit * color + (1 - edit) * (1 - changed)).clamp(min=1e-30).log()).sum()
        loss = loss + 0.1 * F.binary_cross_entropy_with_logits(aside[:, 0], changes)
        loss = loss + 0.1 * F.cross_entropy(aside[:, 1:], outcomes)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()

    step()
    walls, before = [], time.process_time()
    for _ in range(RUNS):
        start = time.perf_counter()
        step()
        walls.append(time.perf_counter() - start)
    cpu = (time.process_time() - before) / RUNS
    parameters = sum(p.numel() for p in net.parameters())
    return dict(side="torch", threads=torch.get_num_threads(), parameters=parameters, wall_s=statistics.median(walls), cpu_s=cpu)


def against(binary, rounds):
    """Both sides in turn; prints every line, and the median of ours over that of theirs."""
    commands, found = {"torch": [sys.executable, __file__], "world_model": [binary, "--bench"]}, {}
    for _ in range(rounds):
        for side, command in commands.items():
            line = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip().splitlines()[-1]
            print(line, flush=True)
            found.setdefault(side, []).append(json.loads(line))
    for figure in ("wall_s", "cpu_s"):
        ours, theirs = (statistics.median(run[figure] for run in found[side]) for side in ("world_model", "torch"))
        print(f"{figure}: ours {ours:.3f}, torch {theirs:.3f}, ratio {ours / theirs:.2f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    if arguments.against:
        against(arguments.against, arguments.rounds)
    else:
        print(json.dumps(report()))
