//! Every title, one file each.

mod apothecary;
mod balloons;
mod banquet;
mod barges;
mod beacons;
mod buttons;
mod cabinet;
mod calico;
mod carry;
mod concierge;
mod crates;
mod crests;
mod dispatch;
mod divers;
mod dodgems;
mod drawbridge;
mod ducklings;
mod echo;
mod fireflies;
mod frogs;
mod fuse;
mod gaits;
mod garden;
mod glide;
mod hearth;
mod honey;
mod inlay;
mod keyhole;
mod kick;
mod lamps;
mod lanes;
mod leaves;
mod locksmith;
mod lodge;
mod mains;
mod marquetry;
mod meadow;
mod mice;
mod mosaic;
mod neon;
mod nightwatch;
mod obelisk;
mod otters;
mod oysters;
mod panes;
mod planets;
mod plumb;
mod points;
mod polder;
mod portals;
mod pulleys;
mod range;
mod rings;
mod roost;
mod sampler;
mod sheepdog;
mod signs;
mod skewers;
mod stamps;
mod strips;
mod tarn;
mod tints;
mod toads;
mod tongs;
mod truffles;
mod twins;

use crate::Entry;

/// In the order of the stems; one line a title.
pub(crate) static ALL: &[Entry] = &[
    Entry::of::<balloons::Balloons>(),   // a506
    Entry::of::<apothecary::Ward>(),     // a926
    Entry::of::<beacons::Wanderer>(),    // b137
    Entry::of::<crates::Storehouse>(),   // b210
    Entry::of::<buttons::Quilt>(),       // b375
    Entry::of::<barges::Basin>(),        // b648
    Entry::of::<banquet::Table>(),       // b752
    Entry::of::<stamps::Stamps>(),       // c157
    Entry::of::<crests::Herald>(),       // c418
    Entry::of::<carry::Yard>(),          // c592
    Entry::of::<calico::Calico>(),       // c736
    Entry::of::<cabinet::Cabinet>(),     // c873
    Entry::of::<divers::Water>(),        // d214
    Entry::of::<ducklings::Brood>(),     // d382
    Entry::of::<drawbridge::Canal>(),    // d528
    Entry::of::<dodgems::Dodgems>(),     // d643
    Entry::of::<dispatch::Depot>(),      // d709
    Entry::of::<echo::Echo>(),           // e835
    Entry::of::<range::Range>(),         // f346
    Entry::of::<fireflies::Evening>(),   // f581
    Entry::of::<glide::Rink>(),          // g284
    Entry::of::<gaits::Gaits>(),         // g529
    Entry::of::<plumb::Cave>(),          // g718
    Entry::of::<garden::Garden>(),       // g837
    Entry::of::<fuse::Corridors>(),      // h264
    Entry::of::<truffles::Wood>(),       // h605
    Entry::of::<concierge::House>(),     // h927
    Entry::of::<inlay::Inlay>(),         // i391
    Entry::of::<mains::Mains>(),         // j419
    Entry::of::<locksmith::Locksmith>(), // k371
    Entry::of::<kick::Pitch>(),          // k471
    Entry::of::<keyhole::Keyhole>(),     // k926
    Entry::of::<lamps::Lamps>(),         // l340
    Entry::of::<lodge::Stream>(),        // l617
    Entry::of::<lanes::Lanes>(),         // l842
    Entry::of::<marquetry::Marquetry>(), // m264
    Entry::of::<panes::Panes>(),         // m437
    Entry::of::<mice::House>(),          // m582
    Entry::of::<meadow::Meadow>(),       // m748
    Entry::of::<mosaic::Mosaic>(),       // m816
    Entry::of::<neon::Neon>(),           // n348
    Entry::of::<nightwatch::Night>(),    // n759
    Entry::of::<otters::River>(),        // o395
    Entry::of::<oysters::Reef>(),        // o633
    Entry::of::<polder::Polder>(),       // p387
    Entry::of::<points::Points>(),       // p615
    Entry::of::<portals::Maze>(),        // p642
    Entry::of::<planets::Flight>(),      // p824
    Entry::of::<honey::Tray>(),          // q472
    Entry::of::<obelisk::Court>(),       // r263
    Entry::of::<roost::Roost>(),         // r518
    Entry::of::<rings::Rings>(),         // r704
    Entry::of::<signs::Signs>(),         // s159
    Entry::of::<strips::Strips>(),       // s268
    Entry::of::<sampler::Sampler>(),     // s583
    Entry::of::<skewers::Grill>(),       // s736
    Entry::of::<sheepdog::Flock>(),      // s847
    Entry::of::<twins::Rooms>(),         // t220
    Entry::of::<tints::Tints>(),         // t316
    Entry::of::<tongs::Quay>(),          // t463
    Entry::of::<toads::Toads>(),         // t871
    Entry::of::<tarn::Tarn>(),           // t947
    Entry::of::<hearth::Hearth>(),       // v528
    Entry::of::<leaves::Lawn>(),         // w417
    Entry::of::<pulleys::Barn>(),        // w624
    Entry::of::<frogs::Frogs>(),         // y253
];
